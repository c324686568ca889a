import type { MeterCase, Truth } from './case.ts'
import { ANTHROPIC_CASES } from './cases-anthropic.ts'
import { CHAT_CASES } from './cases-chat.ts'
import { GEMINI_CASES } from './cases-gemini.ts'
import { RESPONSES_CASES } from './cases-responses.ts'
import { playCase } from './play-case.ts'

const CASES = [...ANTHROPIC_CASES, ...RESPONSES_CASES, ...CHAT_CASES, ...GEMINI_CASES]

/** Plays every case whose name contains one of the words, and prints true and metered usage side by side. */
export async function main(words: readonly string[]): Promise<void> {
  const chosen = CASES.filter(
    ({ name, protocol, provider }) =>
      words.length === 0 || words.some((word) => `${name} ${protocol} ${provider}`.includes(word)),
  )
  let wrong = 0
  for (const [index, one] of chosen.entries()) {
    const told = await playCase(one)
    const differs = findDifferences(one.truth, told)
    if (differs.length > 0) wrong += 1
    print(`${differs.length === 0 ? 'right' : 'WRONG'}  ${index + 1}. ${describeCase(one)}`)
    print(`       truth    ${describeFigures(one.truth)}`)
    print(`       metered  ${describeFigures(told)}${told.why ? `  (${told.why})` : ''}`)
    for (const difference of differs) print(`       ${difference}`)
  }
  print(`\n${chosen.length} cases, ${wrong} wrong`)
  if (wrong > 0 || chosen.length === 0) process.exitCode = 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function describeCase({ name, protocol, provider, model, answer }: MeterCase): string {
  return `${name} [${protocol}, ${'events' in answer ? 'streamed' : 'whole'}, ${provider} ${model}]`
}

type Figures = Omit<Truth, 'source'> & { source: string }

/** Compares only the figures that a truth names. */
function findDifferences(truth: Truth, told: Figures): string[] {
  const { atLeast, ...plain } = truth
  const figures = Object.entries(plain) as [keyof typeof plain, unknown][]
  const differs = figures.flatMap(([key, value]) =>
    told[key] === value ? [] : [`${key}: ${value} is true, ${told[key]} was metered`],
  )
  if (atLeast === undefined) return differs
  const bounds = Object.entries(atLeast) as [keyof typeof atLeast, number][]
  return [
    ...differs,
    ...bounds.flatMap(([key, value]) =>
      told.atLeast?.[key] === value
        ? []
        : [`at least ${key}: ${value}, not ${told.atLeast?.[key]}`],
    ),
  ]
}

function describeFigures({
  input,
  output,
  cacheRead,
  cacheWrite,
  reasoning,
  cost,
  source,
}: Figures) {
  const parts = [
    ['in', input],
    ['out', output],
    ['cached', cacheRead],
    ['written to a cache', cacheWrite],
    ['reasoning', reasoning],
  ] as const
  const tokens = parts.flatMap(([word, count], index) => {
    if (index > 1 && (count ?? 0) === 0) return []
    return [`${count ?? 'unknown'} ${word}`]
  })
  const dollars = cost === null ? 'cost unknown' : `$${(cost / 1e6).toFixed(6)}`
  return `${tokens.join(', ')}, ${dollars}, ${source}`
}
