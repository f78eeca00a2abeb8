// What is chosen, and drawing it again when that changes.

/** @param {Figure} figure @param {View} view @param {boolean} log @param {Box} box @param {Theme} theme */
function drawFigure(figure, view, log, box, theme) {
  const content = figure.make(view, log);
  return content.counts ? drawHistogram(content, box, theme) : drawChart(content, box, theme);
}

function main() {
  const data = readData();
  const groups = groupRuns(data.runs);
  const report = document.getElementById('report');
  document.title = `${data.name || 'Run'} – Tarry`;
  if (groups.length === 0) {
    report.append(makeHeader(data, groups, null), h('p', { class: 'problem' }, 'This run holds no results.'), makeSpec(data.spec) ?? '');
    return;
  }

  const streams = distinct(groups.map((group) => group.stream));
  const state = {
    stream: streams[0], delay: groups[0].delay, metric: '', bounds: true, hidden: new Set(), printing: false,
    dark: /** @type {?boolean} */ (null),  // null: as the system says
    log: Object.fromEntries(FIGURES.map((figure) => [figure.id, figure.log])),
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = () => !state.printing && (state.dark ?? system.matches);
  const theme = () => (dark() ? DARK : LIGHT);
  const here = () => groups.filter((group) => group.stream === state.stream && group.delay === state.delay);
  /** @returns {View} */
  const view = () => ({ ...state, groups: here().filter((group) => !state.hidden.has(group.name)) });

  const themeButton = h('button', { type: 'button', class: 'quiet-button', id: 'theme', click: () => { state.dark = !dark(); draw(); } });
  const choices = h('div', { class: 'choices' });
  const legend = h('div', { class: 'legend', role: 'group', 'aria-label': 'Learners' });
  const figures = FIGURES.map((figure) => makeFigure(figure, () => {
    const name = fileName([data.name ?? 'run', figure.id, streams.length > 1 ? state.stream : '', state.delay]);
    download(svgDocument(figure, view(), state.log[figure.id]), `${name}.svg`);
  }));
  const pictures = new Map();
  const hides = figures.map(({ figure, plot, tip }) => addHover(plot, tip, () => ({ picture: pictures.get(figure.id), theme: theme(), bounds: figure.id === 'regret' && state.bounds })));

  report.append(makeHeader(data, groups, themeButton),
    h('div', { class: 'bar' }, choices, legend),
    h('main', {}, h('div', { class: 'figures' }, figures.map(({ element }) => element)),
      h('section', { class: 'results-section' }, h('h2', {}, 'All results'), makeTable(groups)), makeSpec(data.spec) ?? ''),
    h('footer', {}, 'Everything on this page is in this one file; it loads nothing.'));

  /** The selectors, and what depends on them. */
  function drawChoices() {
    const delays = distinct(groups.filter((group) => group.stream === state.stream).map((group) => group.delay));
    if (!delays.includes(state.delay)) state.delay = delays[0];
    const metrics = metricsOf(here());
    if (!metrics.includes(state.metric)) state.metric = metrics[0];
    const set = (key) => (value) => { state[key] = value; draw(); };
    refill(choices, [makeSelect('Stream', streams, state.stream, set('stream')), makeSelect('Delay', delays, state.delay, set('delay'))]);
    refill(legend, makeLegend(here().map(({ name, index }) => ({ name, index })), state.hidden, theme(), draw));
    for (const { figure, switches } of figures) {
      const scale = figure.log === null ? null : makeScaleSwitch(state.log[figure.id], (log) => { state.log[figure.id] = log; draw(); });
      const bounds = figure.id !== 'regret' ? null : h('label', { class: 'check' },
        h('input', { type: 'checkbox', name: 'bounds', checked: state.bounds, change: (event) => { state.bounds = event.target.checked; draw(); } }), 'Bounds');
      const metric = figure.id === 'metric' ? makeSelect('Metric', metrics, state.metric, set('metric'), metricName) : null;
      refill(switches, [metric, bounds, scale].filter((part) => part));
    }
  }

  /** Every picture, at the width that it has now. */
  function drawFigures() {
    hides.forEach((hide) => hide());
    for (const { figure, plot, caption, button } of figures) {
      const now = view();
      const narrow = plot.clientWidth < 500;
      const box = { width: Math.max(240, plot.clientWidth), height: narrow ? Math.min(figure.height, 300) : figure.height, titled: false };
      const picture = drawFigure(figure, now, state.log[figure.id], box, theme());
      pictures.set(figure.id, picture);
      plot.replaceChildren(picture.svg);
      caption.replaceChildren(...figure.caption(now, state.log[figure.id]));
      button.disabled = !picture.sy;
    }
  }

  function draw() {
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
    themeButton.textContent = dark() ? 'Light' : 'Dark';
    themeButton.setAttribute('aria-label', `Switch to ${dark() ? 'light' : 'dark'} colours`);
    drawChoices();
    drawFigures();
  }

  const printing = (now) => () => {
    state.printing = now;
    if (now) document.querySelectorAll('details').forEach((details) => { details.open = true; });
    draw();
  };
  system.addEventListener('change', draw);
  addEventListener('beforeprint', printing(true));
  addEventListener('afterprint', printing(false));
  draw();
  let width = report.clientWidth;
  new ResizeObserver(() => {
    if (report.clientWidth === width) return;
    width = report.clientWidth;
    drawFigures();
  }).observe(report);
}

/** New children, with the focus where it was. @param {HTMLElement} parent @param {Node[]} children */
function refill(parent, children) {
  const focusable = () => [...parent.querySelectorAll('button, select, input')];
  const focused = focusable().indexOf(document.activeElement);
  parent.replaceChildren(...children);
  if (focused >= 0) /** @type {HTMLElement} */ (focusable()[focused])?.focus({ preventScroll: true });
}

try {
  main();
} catch (error) {
  document.getElementById('report').append(h('p', { class: 'problem', role: 'alert' }, `The report could not be drawn: ${error.message}`));
  console.error(error);
}
