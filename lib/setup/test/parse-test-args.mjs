// @ts-check

/**
 * Reads `npm test -- --only unit,types` and `--list`. Answers which steps to run, or the one line that refuses.
 * @param {string[]} argv
 * @param {string[]} names all steps in order
 * @returns {{ list: boolean, chosen: string[] } | { refusal: string }}
 */
export function parseTestArgs(argv, names) {
  const [first, ...rest] = argv.flatMap((arg) =>
    arg.startsWith('--only=') ? ['--only', arg.slice(7)] : [arg],
  )
  if (first === undefined) return { list: false, chosen: names }
  if (first === '--list' && rest.length === 0) return { list: true, chosen: names }
  if (first !== '--only' || rest.length !== 1) {
    return { refusal: `usage: npm test -- [--list | --only ${names.slice(0, 2).join(',')},…]` }
  }
  const asked = (rest[0] ?? '').split(',').map((name) => name.trim())
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    return { refusal: `unknown step ${unknown.join(', ')}: there are ${names.join(', ')}` }
  return { list: false, chosen: names.filter((name) => asked.includes(name)) }
}
