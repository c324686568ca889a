import { countOf, listNames } from '../eligibility/list-names.ts'
import type { Subject } from '../subject.ts'
import type { PastEpisode } from './past-episode.ts'

/** Past episodes that a quote may rest on, and how to name them. */
export type Precedent = { words: string; episodes: readonly PastEpisode[] }

/**
 * Past episodes of one suite, nearest to the planned subject first: its own with the same model; the same model driven
 * by others; any that a model drove (only for subjects that a model drives). Empty groups are left out.
 */
export function findPrecedents(subject: Subject, past: readonly PastEpisode[]): Precedent[] {
  const model = subject.modelRequested
  const sameModel = past.filter((one) => one.subject.modelRequested === model)
  const own = sameModel.filter((one) => one.subject.name === subject.name)
  const precedents = [
    { words: `${countOf(own.length, 'episode')} of ${nameOf(own)}`, episodes: own },
  ]
  if (model !== null) {
    const others = sameModel.filter((one) => one.subject.name !== subject.name)
    const by = listNames(others.map((one) => one.subject.name))
    const words = `${countOf(others.length, 'episode')} of ${model}, driven by ${by}`
    precedents.push({ words, episodes: others })
  }
  return precedents
    .filter(({ episodes }) => episodes.length > 0)
    .map(({ words, episodes }) => ({ words: `${words} on this suite`, episodes }))
}

/** Past episodes that a model drove, whichever it was: their tokens tell how long such work is. */
export function findModelDriven(past: readonly PastEpisode[]): Precedent {
  const episodes = past.filter((one) => one.subject.modelRequested !== null)
  const models = listNames(episodes.flatMap((one) => one.subject.modelRequested ?? []))
  return { words: `${countOf(episodes.length, 'episode')} of ${models} on this suite`, episodes }
}

function nameOf([first]: readonly PastEpisode[]): string {
  if (!first) return ''
  const { name, modelRequested } = first.subject
  return modelRequested ? `${name} · ${modelRequested}` : name
}
