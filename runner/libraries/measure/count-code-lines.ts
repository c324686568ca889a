/** Lines of a TypeScript source that hold code: blank lines and those of comments alone are left out. */
export function countCodeLines(source: string): number {
  let isInComment = false
  let count = 0
  for (const line of source.split('\n').map((one) => one.trim())) {
    const opens = !isInComment && line.startsWith('/*')
    if (!isInComment && !opens && line !== '' && !line.startsWith('//')) count += 1
    if (opens) isInComment = true
    if (isInComment && line.includes('*/')) isInComment = false
  }
  return count
}
