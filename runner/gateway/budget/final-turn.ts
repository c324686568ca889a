import type { WireTurn } from '../wire/wire-turn.ts'

/** The turn that ends an agent politely: of all ways to say stop, the one that every measured CLI obeys at once. */
export function finalTurn(reason: string, model: string, id: string, now: string): WireTurn {
  return {
    id,
    model,
    reason: null,
    say: `${reason} No further model turns will be answered. The work is judged as it stands.`,
    calls: [],
    usage: { input: 0, output: 0, cacheRead: null, cacheWrite: null, reasoning: null },
    stop: 'end',
    createdAt: Math.floor(Date.parse(now) / 1000),
  }
}
