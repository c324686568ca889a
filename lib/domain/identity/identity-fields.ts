import type { Subject } from '../subject.ts'

type Field = 'name' | 'version' | 'adapterVersion' | 'provider' | 'modelRequested'

/** What a subject is told by, and how a sentence calls it. */
export const IDENTITY_FIELDS: readonly (readonly [field: Field & keyof Subject, words: string])[] =
  [
    ['name', 'name'],
    ['version', 'version'],
    ['adapterVersion', 'adapter version'],
    ['provider', 'provider'],
    ['modelRequested', 'model id'],
  ]
