import type { SeededGenerator } from './seeded-generator.ts'

/** Draws as many task positions as there are, with replacement: one bootstrap sample of the tasks. */
export function drawTasks(
  tasks: number,
  generator: SeededGenerator,
  into?: Uint32Array,
): Uint32Array {
  const drawn = into ?? new Uint32Array(tasks)
  for (let index = 0; index < tasks; index++) drawn[index] = generator.nextBelow(tasks)
  return drawn
}
