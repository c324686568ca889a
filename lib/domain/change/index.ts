/** Public API of this module; other modules import only this file. */
export * from './build-change.ts'
export * from './change-markdown.ts'
export { type ChangeReport, changeReportSchema } from './change-report.ts'
export * from './change-terminal.ts'
export * from './github-comment.ts'
