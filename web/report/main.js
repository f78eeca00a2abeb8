// What is chosen, and drawing it again when that changes.

/** @param {Figure} figure @param {View} view @param {boolean} log @param {Box} box @param {Theme} theme */
function drawFigure(figure, view, log, box, theme) {
  const content = figure.make(view, log);
  return { title: content.title, ...(content.counts ? drawHistogram(content, box, theme) : drawChart(content, box, theme)) };
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
    stream: streams[0], delay: groups[0].delay, metric: '', wanted: '', bounds: true, hidden: new Set(), printing: false, only: false, sorted: { name: '', up: true },
    dark: /** @type {?boolean} */ (null),  // null: as the system says
    log: Object.fromEntries(FIGURES.map((figure) => [figure.id, figure.log])),
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dark = () => !state.printing && (state.dark ?? system.matches);
  const theme = () => (dark() ? DARK : LIGHT);
  const here = () => groups.filter((group) => group.stream === state.stream && group.delay === state.delay);
  /** @returns {View} */
  const view = () => ({ ...state, groups: here().filter((group) => !state.hidden.has(group.name)) });

  if (!regretLines(view()).some((line) => drawable(line.y, true))) state.log.regret = false;

  const themeButton = h('button', { type: 'button', class: 'quiet-button', id: 'theme', click: () => { state.dark = !dark(); draw(); } });
  const choices = h('div', { class: 'choices' });
  const legend = h('div', { class: 'legend', role: 'group', 'aria-label': 'Learners' });
  const figures = FIGURES.map((figure) => makeFigure(figure, () => {
    const name = fileName([data.name ?? 'run', figure.id, streams.length > 1 ? state.stream : '', state.delay]);
    download(svgDocument(figure, view(), state.log[figure.id]), `${name}.svg`);
  }));
  const onlyHere = h('label', { class: 'check', hidden: distinct(groups.map((group) => `${group.stream}\n${group.delay}`)).length < 2 },
    h('input', { type: 'checkbox', name: 'only', change: (event) => { state.only = event.target.checked; drawTable(); } }), 'Only the stream and delay chosen above');
  const results = h('section', { class: 'results-section' }, h('div', { class: 'figure-head' }, h('h2', {}, 'Results'), onlyHere), h('div'));
  const pictures = new Map();
  const hides = figures.map(({ figure, plot, tip }) => addHover(plot, tip, () => ({ picture: pictures.get(figure.id), theme: theme(), bounds: figure.id === 'regret' && state.bounds })));

  report.append(makeHeader(data, groups, themeButton),
    h('div', { class: 'bar', hidden: groups.length === 1 }, choices, legend),
    h('main', {}, h('div', { class: 'figures' }, figures.map(({ element }) => element)),
      results, makeSpec(data.spec) ?? ''),
    h('footer', {}, 'Everything on this page is in this one file; it loads nothing.'));

  /** The selectors, and what depends on them. */
  function drawChoices() {
    const delays = distinct(groups.filter((group) => group.stream === state.stream).map((group) => group.delay));
    if (!delays.includes(state.delay)) state.delay = delays[0];
    const metrics = metricsOf(here());
    state.metric = metrics.includes(state.wanted) ? state.wanted : metrics[0];
    const set = (key) => (value) => { state[key] = value; draw(); };
    refill(choices, [makeSelect('Stream', streams, state.stream, set('stream')), makeSelect('Delay', delays, state.delay, set('delay'))]);
    refill(legend, makeLegend(here().map(({ name, index }) => ({ name, index })), state.hidden, theme(), draw));
    for (const { figure, switches } of figures) {
      const scale = figure.log === null ? null : makeScaleSwitch(state.log[figure.id], (log) => { state.log[figure.id] = log; draw(); });
      const bounds = figure.id !== 'regret' ? null : h('label', { class: 'check' },
        h('input', { type: 'checkbox', name: 'bounds', checked: state.bounds, change: (event) => { state.bounds = event.target.checked; draw(); } }), 'Bounds');
      const metric = figure.id === 'metric' ? makeSelect('Metric', metrics, state.metric, set('wanted'), metricName) : null;
      refill(switches, [metric, bounds, scale].filter((part) => part));
    }
  }

  /** Every picture, at the width that it has now. */
  function drawFigures() {
    hides.forEach((hide) => hide());
    for (const { figure, title, plot, caption, button } of figures) {
      const now = view();
      const narrow = plot.clientWidth < 500;
      const box = { width: Math.max(240, plot.clientWidth), height: narrow ? Math.min(figure.height, 300) : figure.height, titled: false };
      let picture = drawFigure(figure, now, state.log[figure.id], box, theme());
      if (!picture.sy) picture = drawFigure(figure, now, state.log[figure.id], { ...box, height: 120 }, theme());
      title.textContent = picture.title;
      pictures.set(figure.id, picture);
      plot.replaceChildren(picture.svg);
      caption.replaceChildren(...picture.sy ? figure.caption(now, state.log[figure.id], picture) : []);
      button.disabled = !picture.sy;
    }
  }

  function drawTable() {
    results.lastElementChild.replaceWith(makeTable(state.only ? here() : groups, state.sorted));
  }

  function draw() {
    document.documentElement.dataset.theme = dark() ? 'dark' : 'light';
    themeButton.textContent = dark() ? 'Light' : 'Dark';
    themeButton.setAttribute('aria-label', `Switch to ${dark() ? 'light' : 'dark'} colours`);
    drawChoices();
    drawFigures();
    if (state.only) drawTable();
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
  drawTable();
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
