import { z } from 'zod'
import { parseJson } from '#lib/domain/text/index.ts'

/** Position at which a list continues: the sort key of the last shown item. */
export type Place = readonly [at: string, id: string]

const placeSchema = z.tuple([z.string().max(200), z.string().max(200)])

/** Formats a place for a URL. */
export function formatPlace(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Parses the place in a URL; null = this server did not create it. */
export function parsePlace(text: string): Place | null {
  const place = parseJson(Buffer.from(text, 'base64url').toString('utf8'))
  return placeSchema.safeParse(place).data ?? null
}
