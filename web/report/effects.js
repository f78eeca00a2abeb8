// The effect of single numbers, as the model that was kept saw them at the end.

import {h} from '../shared/dom.js';
import {makeEffects} from '../shared/effects.js';

/** @param {?Group} group @param {?Reading} reading @param {Theme} theme @param {number} width */
export function makeEffectsSection(group, reading, theme, width) {
  const effects = group?.runs[0].quality?.curves ?? [];
  if (effects.length === 0) return [];
  const towards = reading?.label?.positive ? `"${reading.label.positive}"` : 'yes';
  const scale =
      effects[0].unit === 'label' ? 'in units of the label' : `in log odds of ${towards}: 0.7 more doubles the odds`;
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'Effect of single numbers')),
    makeEffects(effects, theme, width),
    h('p', {class: 'note'},
      `What a number does to the prediction of ${group.name} while other numbers are at their means, ${scale}. ` +
          '0 is the mean over the values shown. All figures have the same vertical scale.'),
  ];
}
