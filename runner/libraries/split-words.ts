/** Splits a command line at spaces: `"` and `'` quote paths that contain them. Nothing else has a meaning. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
