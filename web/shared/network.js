// Where the nodes of a network stand in a picture.

import {largest, smallest} from './lists.js';

/**
 * @typedef {{nodes: number, from: number[], to: number[], x: number[], y: number[]}} Graph
 *   x and y are empty where nobody knows the places
 */

/** How many links lead from a node to each other one, either way. @param {Graph} network @param {number} start */
function hopsFrom(network, neighbours, start) {
  const hops = new Array(network.nodes).fill(-1);
  hops[start] = 0;
  const queue = [start];
  for (const v of queue) {
    for (const w of neighbours[v]) {
      if (hops[w] >= 0) continue;
      hops[w] = hops[v] + 1;
      queue.push(w);
    }
  }
  return hops.map((count) => Math.max(count, 0));
}

/**
 * Places for a network without: by the distances from two pairs of nodes that are far apart. @param {Graph} network
 */
function inventPlaces(network) {
  const neighbours = Array.from({length: network.nodes}, () => []);
  network.from.forEach((from, e) => {
    neighbours[from].push(network.to[e]);
    neighbours[network.to[e]].push(from);
  });
  const hops = (start) => hopsFrom(network, neighbours, start);
  const farthest = (counts) => counts.indexOf(largest(counts));
  const a = hops(farthest(hops(network.from[0])));
  const b = hops(farthest(a));
  const c = hops(farthest(a.map((count, v) => Math.min(count, b[v]))));
  const d = hops(farthest(c));
  let x = a.map((count, v) => count - b[v]);
  let y = c.map((count, v) => count - d[v]);
  const smoothed = (at) => at.map((own, v) => {
    const others = neighbours[v];
    return others.length === 0 ? own : own / 2 + others.reduce((sum, w) => sum + at[w], 0) / (2 * others.length);
  });
  for (let pass = 0; pass < 8; ++pass) [x, y] = [smoothed(x), smoothed(y)];
  return {x, y};
}

/** Where the nodes are in a picture of this width; north is up. @param {Graph} network @param {number} width */
export function placeNodes(network, width) {
  const {x, y} = network.x.length === network.nodes ? network : inventPlaces(network);
  const margin = 14;
  const [left, right, low, high] = [smallest(x), largest(x), smallest(y), largest(y)];
  const scale = (width - 2 * margin) / Math.max(right - left, 0.8 * (high - low), 1e-9);
  const height = 2 * margin + scale * (high - low);
  const side = (width - scale * (right - left)) / 2;
  return {height, at: (v) => [side + scale * (x[v] - left), height - margin - scale * (y[v] - low)]};
}
