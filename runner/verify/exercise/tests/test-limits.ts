import { ISOLATE_RESERVE_BYTES } from '../../../sandbox/process/process-memory.ts'

/** Limits of one test process, kept by the kernel. An orphan cannot spin for ever. */
export const MAX_CPU_SECONDS = 900
export const MEMORY_BYTES = 1.5 * 2 ** 30
/** Node reserves address space that it does not use. */
export const MAX_DATA_BYTES = MEMORY_BYTES + ISOLATE_RESERVE_BYTES
