import { saysNoNetwork } from './no-network.ts'

/**
 * Error lines of installers and of programs that are missing something: npm, pnpm, Yarn 1 and bun, later Yarns (whose warnings are numbered as well).
 */
const OF_INSTALLER = [
  // Python, Node and the shell name what is missing; pip says it last.
  /^ERROR: (?!pip's dependency resolver)/,
  /\bNo module named\b/,
  /\bERR_MODULE_NOT_FOUND\b|\bCannot find (?:module|package)\b/,
  /: (?:command )?not found$/,
  /^npm (error|ERR!) (?!code |A complete log)\S+ /,
  /\bERR_PNPM_\w+/,
  /^error:? (?!Command failed)/,
  // A crash of Node ends with its version.
  /^\w*Error(?: \[\w+\])?: (?!Command failed)/,
  /\bYN(?!0000|0002|0007|0008|0013|0019|0060|0086)\d{4}: (?!│ [-+@ ])/,
]

/** Returns the most informative line: one about the network, the installer's first error, else the last. */
export function tellingLine(log: string): string {
  const lines = log.trim().split('\n')
  const ofInstaller = OF_INSTALLER.flatMap((start) => lines.find((one) => start.test(one)) ?? [])[0]
  const line = (lines.findLast(saysNoNetwork) ?? ofInstaller ?? lines.at(-1) ?? '').trim()
  return line === '' ? '' : `, it said: ${line.slice(0, 300)}`
}
