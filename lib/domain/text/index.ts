/** Public API of this module; other modules import only this file. */

export * from './json.ts'
export * from './loopback.ts'
export * from './problem.ts'
export * from './text.ts'
export * from './time-zone.ts'
