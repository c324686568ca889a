/** Public API of this module; other modules import only this file. */

export { isLoopback } from './loopback.ts'
export { formatIssues, type ParseResult, type Problem, problemLines } from './problem.ts'
export {
  countOf,
  cutText,
  decodeParam,
  escapeMarkup,
  findLines,
  firstLine,
  formatBytes,
  formatCost,
  formatPlainCost,
  formatShare,
  formatSpan,
  groupDigits,
  lastLine,
  listNames,
  markdownText,
  nameCharacter,
  nearestNames,
  parseJson,
  plainText,
  pluralForm,
  shellWord,
  shortNumber,
  type TableCell,
  toCsv,
  toMarkdown,
  unescapeMarkup,
  unknownName,
  unknownSentence,
  withoutColours,
} from './text.ts'
export { isTimeZone } from './time-zone.ts'
