import type { Subject } from '../record/index.ts'
import { skeleton } from './skeleton.ts'

/** A subject shipped with Proofboard under a name, and all definitions ever shipped under it. */
export type ShippedSubject = {
  kind: Subject['kind']
  /** For agents, the whole adapter version. For libraries, the part before `+`, which names scripts or prompt. */
  definitions: readonly string[]
}

/**
 * Agents, libraries and controls by name. A changed definition appends its digest, so that results of an earlier
 * release stay valid. `runner/subjects/shipped-subjects.test.ts` compares this list with the real ones.
 */
export const SHIPPED_SUBJECTS: Readonly<Record<string, ShippedSubject>> = {
  aider: agent('8b1960496058-p3', '7b16f8ceb919-p3'),
  amp: agent('eab3a483b4c2-p3', 'a065956389ea-p3'),
  claude: agent('c39fd55826c3-p3', '29d289f99f81-p3', '0e1fbc4f0e60-p3'),
  cline: agent('9b408c68bea8-p3'),
  codex: agent('7a2d8cc628f2-p3', 'df50ea2941fb-p3'),
  copilot: agent('7ac67947bac8-p3', 'e9ad2cbb6a17-p3'),
  crush: agent('c1d18b974484-p3'),
  cursor: agent('b4db6ffaa10a-p3', '564dedc1948b-p3'),
  gemini: agent('cfb5bf9c16d0-p3', 'e6fa8c4ee5f3-p3'),
  goose: agent('c34cc62394be-p3', '864931d623d4-p3'),
  grok: agent('b01331ccd21a-p3', '2d5e9fe892a9-p3'),
  kimi: agent('f25fb89d8765-p3', '435bdc53a96f-p3'),
  opencode: agent('2b67e425cba5-p3', 'fcc9b9b4f14a-p3', 'ebdf976a7223-p3'),
  pi: agent('e188d5ea7961-p3', 'c936f423973a-p3'),
  qwen: agent('a1c42c45e14f-p3', '293bd55495f4-p3'),
  agy: agent('00019ed248ea-p3'),
  antigravity: agent('8c0d1c6ec0eb-p3'),
  auggie: agent('c7500f41c66a-p3'),
  continue: agent('00116718957b-p3'),
  dns: agent('8bd4311e5af5-p3'),
  droid: agent('37f8bcb3adef-p3'),
  'grok-cli': agent('4f165ef9990c-p3'),
  kilo: agent('867cb0034cb9-p3', 'e48aee11d951-p3'),
  nanocoder: agent('68522331edb9-p3'),
  vibe: agent('794cee90ce83-p3'),
  playwright: library('1'),
  puppeteer: library('1', '2'),
  selenium: library('1', '2'),
  webdriverio: library('1', '2'),
  'playwright-mcp': library('1'),
  'chrome-devtools-mcp': library('1'),
  openchrome: library('1'),
  'agent-browser': library('1'),
  cdp: library('1', '2'),
  'computer-use': library('1'),
  stagehand: library('1'),
  magnitude: library('1'),
  crawlee: library('1'),
  'browser-use': library('1'),
  reference: { kind: 'control', definitions: [] },
  nop: { kind: 'control', definitions: [] },
  wrong: { kind: 'control', definitions: [] },
  flaky: { kind: 'control', definitions: [] },
  cheater: { kind: 'control', definitions: [] },
}

function agent(...definitions: string[]): ShippedSubject {
  return { kind: 'agent', definitions }
}

function library(...definitions: string[]): ShippedSubject {
  return { kind: 'library', definitions }
}

const BY_LOOK = new Map(Object.keys(SHIPPED_SUBJECTS).map((name) => [skeleton(name), name]))

/** Returns the shipped subject that a name imitates; null = none. */
export function findImitatedSubject(name: string): string | null {
  const shipped = BY_LOOK.get(skeleton(name))
  return shipped === undefined || shipped === name ? null : shipped
}

/**
 * Returns why a subject must not use its name, in one sentence; null = it may. `isOld` = stored before definitions were
 * compared with names; the definitions shipped at that time are unknown.
 */
export function findMisuse(subject: Subject, { isOld }: { isOld: boolean }): string | null {
  const { name, kind, adapterVersion } = subject
  const alike = findImitatedSubject(name)
  if (alike !== null)
    return `The name ${JSON.stringify(name)} looks like ${alike}, which is included in Proofboard.`
  const shipped = Object.hasOwn(SHIPPED_SUBJECTS, name) ? SHIPPED_SUBJECTS[name] : undefined
  if (!shipped) return null
  if (shipped.kind !== kind)
    return `${name} is the name of a shipped ${shipped.kind}, and this is reported as ${kind}.`
  const definition = kind === 'library' ? adapterVersion?.split('+')[0] : adapterVersion
  if (isOld || shipped.definitions.length === 0 || shipped.definitions.includes(definition ?? ''))
    return null
  return `It bears the name of the shipped ${kind} ${name} with another definition (${adapterVersion ?? 'none'}).`
}

/** The name of a coding agent with a library's MCP server. */
const PAIR = /^(.+)-with-(.+)$/

/** True for a name shipped with Proofboard, and for a pair of them. */
export function isShipped({ name }: Pick<Subject, 'name'>): boolean {
  const pair = PAIR.exec(name)
  const names = pair ? pair.slice(1) : [name]
  return names.every((one) => Object.hasOwn(SHIPPED_SUBJECTS, one))
}

type Field = 'name' | 'version' | 'adapterVersion' | 'provider' | 'modelRequested'

/** Fields that identify a subject, with their names in sentences. */
export const IDENTITY_FIELDS: readonly (readonly [field: Field & keyof Subject, words: string])[] =
  [
    ['name', 'name'],
    ['version', 'version'],
    ['adapterVersion', 'adapter version'],
    ['provider', 'provider'],
    ['modelRequested', 'model id'],
  ]
