import type { Mutation } from '#lib/domain/mutation.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'
import type { Judgement, Judges } from './judge.ts'
import { listMutants, type Mutant } from './list-mutants.ts'
import { digestHeldOut, digestSources, type MutationFile } from './mutation-file.ts'

/** What both judges say of one solution; `heldOut` is null where there is no scenario. */
type Judged = { visible: Judgement; heldOut: Judgement | null }

/** Plays every mutant and every wrong solution of a task, `concurrency` at a time, and counts what is caught. */
export async function mutateTask(
  task: LoadedExercise,
  judges: Judges,
  concurrency: number,
): Promise<MutationFile> {
  const { default: typescript } = await import('typescript-gate')
  const mutants = listMutants(typescript, task.reference)
  const candidates = [...mutants, ...task.wrong]
  const judged = await judgeAll(candidates, judges, concurrency)
  const ofMutants = judged.slice(0, mutants.length)
  const survivors = mutants.filter((_, index) => survives(ofMutants[index]))
  const wrong = judged.slice(mutants.length)
  return {
    ...countMutants(ofMutants),
    wrong: wrong.length,
    wrongCaught: wrong.filter((one) => !survives(one)).length,
    madeFrom: digestSources(task),
    heldOut: judges.heldOut ? digestHeldOut(task) : null,
    survivors: survivors.map(
      ({ files: _, ...survivor }) => survivor satisfies Omit<Mutant, 'files'>,
    ),
  }
}

function countMutants(judged: readonly Judged[]): Omit<Mutation, 'wrong' | 'wrongCaught'> {
  const compiled = judged.filter(({ visible }) => visible !== 'not-compiled')
  const withHeldOut = compiled.filter(({ heldOut }) => heldOut !== null)
  return {
    mutants: judged.length,
    compiled: compiled.length,
    caughtByVisible: compiled.filter(({ visible }) => visible === 'killed').length,
    caughtByHeldOut:
      withHeldOut.length === 0
        ? null
        : withHeldOut.filter(({ heldOut }) => heldOut === 'killed').length,
    surviving: compiled.filter(survives).length,
  }
}

function survives(judged: Judged | undefined): boolean {
  return judged?.visible === 'survived' && judged.heldOut !== 'killed'
}

/** The verdicts in the order of the candidates, whichever comes first. */
async function judgeAll(
  candidates: readonly { files: readonly SourceText[] }[],
  judges: Judges,
  concurrency: number,
): Promise<Judged[]> {
  const judged: Judged[] = []
  const queue = [...candidates.entries()]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, { files }] = next
      judged[place] = await judgeOne(files, judges)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return judged
}

/** The scenario is asked about caught mutants, too: it has to stand by itself. */
async function judgeOne(files: readonly SourceText[], judges: Judges): Promise<Judged> {
  const visible = await judges.visible(files)
  const asksHeldOut = visible !== 'not-compiled' && judges.heldOut !== undefined
  return { visible, heldOut: asksHeldOut ? ((await judges.heldOut?.(files)) ?? null) : null }
}
