/** Public API of this module; other modules import only this file. */
export * from './archive.ts'
export * from './backup-manifest.ts'
export * from './check-archive.ts'
export * from './describe-copy-report.ts'
export * from './read-archive.ts'
export * from './rebuild-board.ts'
export * from './static-copy.ts'
