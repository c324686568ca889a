import { type Digest, digestJson } from '../digest.ts'

/** What `seal-run` says of a run: its episodes' ids and seals under one digest, in the order of the ids. */
export function digestRun(episodes: readonly { episodeId: string; seal: string }[]): Digest {
  const pairs = episodes.map(({ episodeId, seal }) => [episodeId, seal])
  return digestJson(pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)))
}
