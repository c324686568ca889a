/** Public API of this module; other modules import only this file. */

export * from './digest.ts'
