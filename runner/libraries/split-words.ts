/** The words of a command line, separated by spaces: `"` and `'` keep those of a path. Nothing else has a meaning. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
