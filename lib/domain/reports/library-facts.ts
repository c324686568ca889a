import { z } from 'zod'
import {
  durationMsSchema,
  environmentSchema,
  instantSchema,
  slugSchema,
  subjectSchema,
} from '../record/index.ts'

const count = z.number().int().nonnegative()

/** An induced error, and whether the library's message is actionable. */
export const inducedErrorSchema = z.strictObject({
  /** The action: `click on an element that is not there`. */
  induced: z.string().min(1).max(200),
  /** The library's error message; null = none, it continued as if the action had worked. */
  message: z.string().max(4000).nullable(),
  actionable: z.boolean(),
})
export type InducedError = z.infer<typeof inducedErrorSchema>

const toolsSchema = z
  .strictObject({
    count,
    /** Tools that have a description. */
    described: count,
    /** Tools whose parameters all have a type. */
    typed: count,
    /** Tokens of names, descriptions and schemas together, in the o200k encoding: what a model reads before it acts. */
    schemaTokens: count.nullable(),
  })
  .refine((tools) => tools.described <= tools.count && tools.typed <= tools.count, {
    message: 'described or typed tools exceed the number of tools',
  })

/** Measurements of one version of a library itself, outside of episodes. Null = not measured, never 0. */
export const libraryFactSchema = z.strictObject({
  name: subjectSchema.shape.name,
  version: z.string().min(1).max(100),
  /** Lines of code, without blank lines and comments, of the library's adapter to the action surface. */
  adapterLines: count.nullable(),
  /** Lines of the driver that performs a task, by task. */
  driverLinesPerTask: z.record(slugSchema, count).nullable(),
  /** Also null for a library without tools. */
  tools: toolsSchema.nullable(),
  /** Returned for opening a page and looking at it once, over several pages; null or absent = not measured. */
  pagesShown: z
    .strictObject({ pages: count.min(1), bytes: count, tokens: count.nullable() })
    .nullable()
    .optional(),
  errors: z.array(inducedErrorSchema).max(100).nullable(),
  /** Sign-in from the start page, and the lines of the driver that perform it. */
  authSetup: z
    .strictObject({ lines: count.nullable(), ms: durationMsSchema.nullable() })
    .nullable(),
  measuredAt: instantSchema,
  harness: environmentSchema.shape.harness,
})
export type LibraryFact = z.infer<typeof libraryFactSchema>

/** `library-facts.json` of a suite: at most one entry per version of a library. */
export const libraryFactsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  libraries: z
    .array(libraryFactSchema)
    .max(200)
    .refine((facts) => new Set(facts.map(keyOf)).size === facts.length, {
      message: 'duplicate version of a library',
    }),
})
export type LibraryFacts = z.infer<typeof libraryFactsSchema>

function keyOf({ name, version }: LibraryFact): string {
  return `${name} ${version}`
}
