import { at, countAt, textAt } from '../gateway/json-value.ts'

/** An item of a response: as it began with its later pieces, or as it was finished. */
type Item = { key: string | null; item: unknown; pieces: string[]; isDone: boolean }

/**
 * Assembles the items of a response of OpenAI Responses from its events: finished ones, and the received pieces of the
 * others.
 */
export class ResponseItems {
  readonly #items: Item[] = []

  hear(event: unknown): void {
    const type = textAt(event, 'type') ?? ''
    const key = keyOf(event)
    const item = at(event, 'item')
    const open = this.#items.findLast((one) => !one.isDone && one.key === key)
    if (type === 'response.output_item.added') this.#begin(key, item)
    else if (type === 'response.output_item.done')
      Object.assign(open ?? this.#begin(key, item), { item, pieces: [], isDone: true })
    else if (type.endsWith('.delta') && !type.endsWith('audio.delta'))
      (open ?? this.#begin(key, { type: 'message', role: 'assistant' })).pieces.push(
        textAt(event, 'delta') ?? '',
      )
  }

  list(): unknown[] {
    return this.#items.map(asFarAsItCame)
  }

  #begin(key: string | null, item: unknown): Item {
    const begun: Item = { key, item, pieces: [], isDone: false }
    this.#items.push(begun)
    return begun
  }
}

function keyOf(event: unknown): string | null {
  const place = countAt(event, 'output_index')
  return place === null ? (textAt(event, 'item_id') ?? textAt(event, 'item', 'id')) : `${place}`
}

function asFarAsItCame({ item, pieces }: Item): unknown {
  const text = pieces.join('')
  if (text === '' || typeof item !== 'object') return item
  const type = textAt(item, 'type') ?? 'message'
  if (type === 'reasoning') return { ...item, summary: text }
  return type.endsWith('_call') ? { ...item, arguments: text } : { ...item, content: text }
}
