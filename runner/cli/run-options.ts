import type { Digest } from '#lib/domain/digest/index.ts'
import type { RunEvent, Shard } from '#lib/domain/record/index.ts'
import type { SourceOptions } from './model-source.ts'
import type { PlanOptions } from './plan-options.ts'
import type { EndedArms } from './skill-verdict.ts'

/** Options of `proofboard run`. */
export type RunOptions = Partial<PlanOptions> &
  SourceOptions & {
    suite?: string
    dataset?: string
    plan?: string
    concurrency: number
    /** Millionths of a US dollar. */
    spendCap?: number
    shard?: Shard
    out?: string
    runId?: string
    submit?: string
    /** Names of variables of this machine that tasks are given. */
    env?: string[]
    /** Hashes of the entries in which boards registered the plan. */
    registration?: Digest[]
    allAgents?: boolean
    allLibraries?: boolean
    printInstructions?: boolean
    json?: boolean
    events?: boolean
    stopWithStdin?: boolean
    /** Runs only the first slots and prints no result, for one side of a pair. */
    upTo?: number
    /** Prints only what is new since an earlier look. */
    isContinued?: boolean
    /** Called at the end with what the run shows of its arms. */
    onArms?: (ended: EndedArms) => void
    /** Receives every event; set if a remote board has registered the plan. */
    listen?: (event: RunEvent) => void
  }
