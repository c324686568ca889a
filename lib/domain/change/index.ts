/** Public API of this module; other modules import only this file. */
export { buildChange, type ChangeSide } from './build-change.ts'
export { changeMarkdown } from './change-markdown.ts'
export { type ChangeReport, changeReportSchema } from './change-report.ts'
export { changeTerminal } from './change-terminal.ts'
export {
  type CommentFrame,
  changeComment,
  commentMarker,
  concludeCheck,
  emptyComment,
} from './github-comment.ts'
