import { type ParseResult, parseJson } from '../text/index.ts'

/** The reward of a Harbor verifier: the number that counts, and all reported numbers. */
type Reward = { value: number; all: Record<string, number> }

/** Reward files are read up to this size. */
export const MAX_REWARD_BYTES = 64 << 10

/** The reward from which a task counts as solved. */
export const SOLVED_REWARD = 1

const MAX_KEYS = 200
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * Reads `reward.txt` and `reward.json`; null = the file does not exist. The reward named `reward` counts, else the
 * smallest. Two files that disagree are invalid.
 */
export function readReward(files: {
  txt: string | null
  json: string | null
}): ParseResult<Reward> {
  const txt = files.txt === null ? null : readNumber(files.txt)
  const json = files.json === null ? null : readRewards(files.json)
  if (txt === null && json === null)
    return refuse('the verifier wrote neither reward.txt nor reward.json')
  if (typeof txt === 'string') return refuse(`reward.txt ${txt}`)
  if (typeof json === 'string') return refuse(`reward.json ${json}`)
  if (txt !== null && json !== null && txt !== json.value)
    return refuse(`reward.txt says ${txt} and reward.json ${json.value}`)
  if (json !== null) return { ok: true, value: json }
  return { ok: true, value: { value: txt ?? 0, all: { reward: txt ?? 0 } } }
}

function readNumber(text: string): number | string {
  const word = text.trim()
  if (word === '') return 'is empty'
  const number = Number(word)
  return NUMBER.test(word) && Number.isFinite(number) ? number : 'is not a number'
}

function readRewards(text: string): Reward | string {
  const value = parseJson(text)
  if (typeof value === 'number' && Number.isFinite(value)) return { value, all: { reward: value } }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is not an object of numbers'
  const all: Record<string, number> = {}
  for (const [name, number] of Object.entries(value)) {
    if (typeof number !== 'number' || !Number.isFinite(number)) return `: ${name} is not a number`
    all[name] = number
  }
  const numbers = Object.values(all)
  if (numbers.length === 0) return 'has no reward'
  if (numbers.length > MAX_KEYS) return `has more than ${MAX_KEYS} rewards`
  return { value: all.reward ?? Math.min(...numbers), all }
}

function refuse(message: string): ParseResult<never> {
  return { ok: false, problems: [{ path: 'reward', message }] }
}
