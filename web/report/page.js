// The pieces of the page around the figures.

/** The title, and in one line what was run. */
function makeHeader(data, groups, themeButton) {
  const { runs } = data;
  const count = (key) => distinct(runs.map((run) => run[key])).length;
  const learners = distinct(groups.map((group) => group.name)).length;
  const rounds = distinct(runs.map((run) => run.rounds)).sort((a, b) => a - b);
  const seeds = Math.max(0, ...groups.map((group) => group.runs.length));
  const said = [
    counted(learners, 'learner'),
    count('stream') > 1 ? counted(count('stream'), 'stream') : null,
    count('delay') > 1 ? counted(count('delay'), 'delay') : null,
    counted(seeds, 'seed'),
    rounds.length === 1 ? counted(rounds[0], 'round') : rounds.length ? `${grouped(String(rounds[0]))} to ${grouped(String(rounds.at(-1)))} rounds` : null,
  ].filter((part) => part);
  const where = (count('stream') === 1 ? `, on ${runs[0].stream}` : '') + (count('delay') === 1 ? `, delay: ${runs[0].delay}` : '');
  return h('header', {},
    h('div', { class: 'masthead' }, h('span', { class: 'maker' }, `Tarry ${data.version ?? ''}`), themeButton),
    h('h1', {}, data.name || 'Untitled run'),
    h('p', { class: 'summary' }, `${counted(runs.length, 'run')}: ${said.join(', ')}${where}.`, madeText(data.made)));
}

/** @param {string|undefined} made */
function madeText(made) {
  const when = made ? new Date(made) : null;
  if (!when || Number.isNaN(when.getTime())) return null;
  const text = when.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return h('span', { class: 'made' }, ' Made ', h('time', { datetime: made }, `${text} UTC`), '.');
}

/** A labelled choice; nothing where there is only one. @param {(value: string) => void} choose */
function makeSelect(name, options, value, choose, textOf = (option) => option) {
  return h('label', { class: 'choice', hidden: options.length < 2 }, h('span', {}, name),
    h('select', { name: name.toLowerCase(), change: (event) => choose(event.target.value) },
      options.map((option) => h('option', { value: option, selected: option === value }, textOf(option)))));
}

/** Two buttons of which one is pressed. */
function makeScaleSwitch(log, choose) {
  const button = (text, value) => h('button', { type: 'button', 'aria-pressed': String(log === value), 'data-scale': value ? 'log' : 'linear', click: () => choose(value) }, text);
  return h('div', { class: 'switch', role: 'group', 'aria-label': 'Axes' }, button('Linear', false), button('Log–log', true));
}

/** One button for each learner; pressed means drawn. */
function makeLegend(names, hidden, theme, change) {
  const chips = names.map(({ name, index }) => h('button', {
    type: 'button', class: 'chip', 'aria-pressed': String(!hidden.has(name)), 'data-learner': name,
    title: `${name}: click to show or hide, Shift-click to see it alone`,
    click: (event) => {
      if (event.shiftKey) {
        const alone = names.every((other) => hidden.has(other.name) === (other.name !== name));
        hidden.clear();
        if (!alone) names.filter((other) => other.name !== name).forEach((other) => hidden.add(other.name));
      } else if (!hidden.delete(name)) hidden.add(name);
      change();
    },
  }, swatch(index, theme), h('span', {}, name)));
  const all = h('button', { type: 'button', class: 'quiet-button', hidden: hidden.size === 0, click: () => { hidden.clear(); change(); } }, 'Show all');
  return [...chips, all];
}

/** A figure's frame: its heading, its switches, the plot, the caption. @param {Figure} figure */
function makeFigure(figure, save) {
  const parts = {
    title: h('h2', { id: `${figure.id}-title` }, figure.title),
    switches: h('div', { class: 'switches' }),
    plot: h('div', { class: 'plot', tabindex: 0, role: 'group', 'aria-labelledby': `${figure.id}-title`, 'aria-description': 'Left and right arrow keys read the values' }),
    tip: h('div', { class: 'tip', role: 'status', hidden: true }),
    caption: h('figcaption', {}),
  };
  const button = h('button', { type: 'button', class: 'quiet-button save', 'aria-label': `Save SVG: ${figure.title}`, click: save }, 'Save SVG');
  const element = h('figure', { id: figure.id, class: figure.wide ? 'wide' : null, style: `--plot: ${figure.height}px` },
    h('div', { class: 'figure-head' }, parts.title, h('div', { class: 'tools' }, parts.switches, button)),
    h('div', { class: 'plot-box' }, parts.plot, parts.tip), parts.caption);
  return { figure, element, button, ...parts };
}

/** The specification as it was given. @param {string|undefined} text */
function makeSpec(text) {
  return text ? h('details', { class: 'spec' }, h('summary', {}, 'Specification'), h('pre', { tabindex: 0 }, h('code', {}, text))) : null;
}
