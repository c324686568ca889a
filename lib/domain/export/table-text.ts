export type TableCell = string | number | null

/** RFC 4180, with formulas defused: a text that a spreadsheet would execute gets a leading apostrophe. */
export function toCsv(rows: readonly (readonly TableCell[])[]): string {
  return rows.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

/** A Markdown table whose first row is the head; unknown is a dash. */
export function toMarkdown([head = [], ...rows]: readonly (readonly TableCell[])[]): string {
  const lines = [
    head.map(markdownCell),
    head.map(() => '---'),
    ...rows.map((cells) => cells.map(markdownCell)),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function csvCell(value: TableCell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function markdownCell(value: TableCell): string {
  if (value === null) return '–'
  return String(value)
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s+/g, ' ')
}
