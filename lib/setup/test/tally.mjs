// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 }
