import { z } from 'zod'
import { digestBytes } from '../digest/index.ts'
import {
  BYTES,
  DOLLARS,
  GIVEN_PRICE,
  oneOf,
  prose,
  SEED,
  seconds,
  TEMPERATURE,
  type TextKind,
  type TextValue,
  wholeNumber,
  wordLike,
} from './text-kinds.ts'

/**
 * Definition of one setting, wherever it is set, stored, compared or shown. A new one is added to `SETTINGS` only; its
 * schema must be optional, so that plans and envelopes without it keep their digests.
 */
export type Setting = {
  /** Schema in the plan. Null = no limit, or not applicable. */
  schema: z.ZodType
  /** Name in sentences and tables: `max steps`. */
  name: string
  kind: TextKind
  /** The default; null = none. */
  fallback: TextValue | null
  /** The command line's option; null = none. */
  option: { flag: `--${string}`; takes: string; help: string } | null
  /** Field name in forms, presets and their URLs. */
  field: string | null
  /** Label in forms, if all forms use the same one: a limit of one episode. */
  label?: string
  placeholder?: string
  /** Also accepted by `--pins` and lists of subjects. */
  isPin?: true
  /** Only the gateway enforces it, so it cannot be set for subjects without the gateway. */
  needsGateway?: true
  /** A subject that calls a model gets a default (`defaultLimits`); type `none` for no limit. */
  canBeNone?: true
  /** Episodes share a row only with the `exact` same value or with a `near` one; null = with any. */
  sameRow: 'exact' | 'near' | null
}

const define = <const S extends Setting>(setting: S): S => setting

const limitSchema = z.number().int().positive().nullable()

/** Every setting of a plan by key, in the order used for naming rows and laying out forms. */
export const SETTINGS = {
  timeoutMs: define({
    schema: z.number().nonnegative(),
    name: 'time limit',
    kind: seconds(86_400),
    fallback: 600_000,
    option: {
      flag: '--timeout',
      takes: '<seconds>',
      help: 'time limit per episode; processes that still run then get 1.5 s to exit',
    },
    field: 'timeout',
    label: 'Timeout (seconds)',
    isPin: true,
    sameRow: 'near',
  }),
  maxSteps: define({
    schema: limitSchema,
    name: 'max steps',
    kind: wholeNumber(100_000),
    fallback: null,
    option: { flag: '--max-steps', takes: '<n>', help: 'model responses per episode, or none' },
    field: 'steps',
    canBeNone: true,
    label: 'Max steps',
    isPin: true,
    needsGateway: true,
    sameRow: 'near',
  }),
  maxTokens: define({
    schema: limitSchema,
    name: 'token budget',
    kind: wholeNumber(1e12),
    fallback: null,
    option: { flag: '--max-tokens', takes: '<n>', help: 'tokens per episode, or none' },
    field: 'tokens',
    canBeNone: true,
    label: 'Max tokens',
    isPin: true,
    needsGateway: true,
    sameRow: 'near',
  }),
  maxCostMicroUsd: define({
    schema: limitSchema,
    name: 'cost budget',
    kind: DOLLARS,
    fallback: null,
    option: { flag: '--max-cost', takes: '<usd>', help: 'cost per episode in US dollars, or none' },
    field: 'cost',
    canBeNone: true,
    label: 'Max cost (USD)',
    isPin: true,
    needsGateway: true,
    sameRow: 'near',
  }),
  /** Price of the model as stated by the user; absent = by the price table. */
  price: define({
    schema: z.string().min(1).max(100).optional(),
    name: 'model price',
    kind: GIVEN_PRICE,
    fallback: null,
    option: {
      flag: '--price',
      takes: '<in/out>',
      help: 'price of a model that is not in the price table, in USD per million tokens: 3/15, 3/15/0.3 with cache reads, or free',
    },
    field: 'price',
    label: 'Price (USD per 1M tokens)',
    placeholder: 'by the price table, or 3/15',
    isPin: true,
    needsGateway: true,
    // Affects the price of the work, not how it was done.
    sameRow: null,
  }),
  temperature: define({
    schema: z.union([z.number(), z.literal('provider-fixed')]).nullable(),
    name: 'temperature',
    kind: TEMPERATURE,
    fallback: null,
    option: { flag: '--temperature', takes: '<t>', help: 'a number, provider-fixed, or none' },
    field: 'temperature',
    label: 'Temperature',
    canBeNone: true,
    isPin: true,
    needsGateway: true,
    sameRow: 'exact',
  }),
  /** Reasoning effort of the model, in the agent's own words; absent = the agent's default. */
  effort: define({
    schema: z.string().min(1).max(20).optional(),
    name: 'effort',
    kind: wordLike(/^[a-z][a-z0-9-]{0,19}$/, 'a level of the agent, for example high'),
    fallback: null,
    option: {
      flag: '--effort',
      takes: '<level>',
      help: 'reasoning effort, in the levels of the agent',
    },
    field: 'effort',
    label: 'Effort',
    placeholder: 'the agent’s default',
    isPin: true,
    sameRow: 'exact',
  }),
  /** Payment for the model: a subscription that the agent's own program is logged in to; absent = a key, per token. */
  login: define({
    schema: z.literal('subscription').optional(),
    name: 'login',
    kind: oneOf(['subscription']),
    fallback: null,
    option: {
      flag: '--login',
      takes: '[subscription]',
      help: 'use the login saved by proofboard agents login; its cost is flat',
    },
    field: null,
    sameRow: 'exact',
  }),
  isolation: define({
    schema: z.enum(['local', 'bubblewrap', 'docker']),
    name: 'isolation',
    // `auto` = the strongest level of the machine that freezes the plan; no plan contains it.
    kind: oneOf(['auto', 'local', 'bubblewrap', 'docker']),
    fallback: 'auto',
    option: {
      flag: '--isolation',
      takes: '<level>',
      help: 'sandbox of the agent: auto (strongest available), bubblewrap, docker, local (no sandbox, not ranked)',
    },
    field: 'isolation',
    sameRow: 'exact',
  }),
  /** Bytes that a subject may add to its workspace and HOME together. */
  diskQuotaBytes: define({
    schema: z.number().int().positive(),
    name: 'disk quota',
    kind: BYTES,
    fallback: 512 << 20,
    option: { flag: '--disk', takes: '<size>', help: 'disk of an episode, default 512 MiB' },
    field: null,
    sameRow: 'near',
  }),
  /** Memory limit of all processes together in docker, of each in bubblewrap; absent = the default of the runner. */
  memoryBytes: define({
    schema: z.number().int().positive().optional(),
    name: 'memory limit',
    kind: BYTES,
    fallback: null,
    option: {
      flag: '--memory',
      takes: '<size>',
      help: 'memory of an agent, for example 8GB; default 4 GiB; bubblewrap limits each process, docker all together',
    },
    field: null,
    sameRow: 'near',
  }),
  /** Maximum concurrent processes of a subject; absent = the default of the runner. */
  maxProcesses: define({
    schema: z.number().int().positive().optional(),
    name: 'max processes',
    kind: wholeNumber(100_000),
    fallback: null,
    option: { flag: '--processes', takes: '<n>', help: 'processes of an agent, default 256' },
    field: null,
    sameRow: 'near',
  }),
  /** Maximum attempts of a slot, including retries of void attempts. */
  maxAttempts: define({
    schema: z.number().int().min(1).max(10),
    name: 'attempts',
    kind: wholeNumber(10),
    fallback: 3,
    option: null,
    field: null,
    sameRow: null,
  }),
  /** Seeds all random choices of the harness (the flaky control). */
  seed: define({
    schema: z.number().int().nonnegative(),
    name: 'seed',
    kind: SEED,
    fallback: 1,
    option: { flag: '--seed', takes: '<n>', help: 'seed of the random choices of the harness' },
    field: null,
    isPin: true,
    sameRow: null,
  }),
  /** A fault injected into every episode, such as `rate-limit@2`; absent = none. */
  fault: define({
    schema: z.string().min(1).max(200).optional(),
    name: 'fault',
    kind: wordLike(
      /^[a-z][a-z0-9@,=-]{0,99}$/,
      'kind@step for an agent, for example rate-limit@2, or a kind for a browser suite, for example stall',
    ),
    fallback: null,
    option: {
      flag: '--fault',
      takes: '<kind>',
      help: 'inject a fault: between agent and model rate-limit@2, cut-stream@1x3, …; in a browser task stall, overlay, …',
    },
    field: 'fault',
    needsGateway: true,
    sameRow: 'exact',
  }),
  /** Browser suites: one browser that is reset and reused, or a new one per episode; absent elsewhere. */
  browser: define({
    schema: z.enum(['reused', 'cold']).optional(),
    name: 'browser',
    kind: oneOf(['reused', 'cold']),
    fallback: null,
    option: {
      flag: '--browser',
      takes: '<reused|cold>',
      help: 'browser suites: reuse one browser (default), or launch one per episode',
    },
    field: 'browser',
    sameRow: 'exact',
  }),
  /** Text appended to every prompt of an agent; absent = the common prompt. */
  customInstruction: define({
    schema: z.string().min(1).max(4000).optional(),
    name: 'custom instruction',
    kind: prose(digestBytes),
    fallback: null,
    option: {
      flag: '--custom-instruction',
      takes: '<text|file>',
      help: 'text, or a file of text, added to the end of every prompt; entries with another text are other entries',
    },
    field: 'instruction',
    sameRow: 'exact',
  }),
}

export type SettingRegistry = typeof SETTINGS
export type SettingKey = keyof SettingRegistry
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]

/** Settings pinned before the first episode starts. Null = no limit, or not applicable. */
export const settingsSchema = z.object(
  Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].schema])) as {
    [K in SettingKey]: SettingRegistry[K]['schema']
  },
)
export type Settings = z.infer<typeof settingsSchema>
