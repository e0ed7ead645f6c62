// What is drawn of any small game, and the numbers of its frames; watch/any_game.py describes both.
/**
 * @typedef {{label: string, player: number, words: string, actions: string[]}} Infoset
 * @typedef {{parent: number?, kind: "chance"|"player"|"end", player: number?, action: string, infosets: string[]}} PublicNode
 * @typedef {{name: string, players: string[], nodes: PublicNode[], infosets: Infoset[], one_shot: boolean, last: number,
 *   nash: Record<string, number[]>, key: {label: string, action: string, words: string}[],
 *   unit: {name: string, chips: number, help: string}}} Game
 * @typedef {{playing: boolean, iteration: number, mbb: {average: number, current: number}, regrets: Record<string, number[]>,
 *   current: Record<string, number[]>, average: Record<string, number[]>, shares: (number?)[], sentence: string}} Frame
 */

export {};
