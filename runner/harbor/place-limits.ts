import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { EnclosedSettings } from '../sandbox/isolation/run-enclosed.ts'

const BYTES_PER_MB = 2 ** 20

/** Limits that a task declares for all programs in its environment; undeclared ones are absent. */
export function placeLimits({
  limits: { memoryMb, storageMb, cpus },
}: Pick<HarborTask, 'limits'>): Partial<EnclosedSettings> {
  return {
    ...(memoryMb === null ? {} : { memoryBytes: memoryMb * BYTES_PER_MB }),
    ...(storageMb === null ? {} : { diskQuotaBytes: storageMb * BYTES_PER_MB }),
    cpus,
  }
}
