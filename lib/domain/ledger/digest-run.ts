import { type Digest, digestJson } from '../digest.ts'

/** What `seal-run` says of a run: its episodes' ids and seals under one digest, in the order of the ids. */
export function digestRun(episodes: readonly { episodeId: string; seal: string }[]): Digest {
  const pairs = episodes.map(({ episodeId, seal }) => [episodeId, seal])
  return digestJson(pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** What `seal-run` says of how a run came in: who vouches for each episode and when it was received, in the order of the ids. */
export function digestReceipts(
  receipts: readonly { episodeId: string; provenance: string; receivedAt: string }[],
): Digest {
  const rows = receipts.map(({ episodeId, provenance, receivedAt }) => [
    episodeId,
    provenance,
    receivedAt,
  ])
  return digestJson(rows.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)))
}
