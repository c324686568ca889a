import { HARBOR } from './harbor/harbor.ts'
import type { Kind } from './kind.ts'

/** Kinds of suites that the core does without. */
export const EXTRA_KINDS: readonly Kind[] = [HARBOR]
