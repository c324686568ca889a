import { z } from 'zod'
import { relativePathSchema, releasedSchema } from '#lib/domain/names.ts'
import { difficultySchema } from '#lib/domain/task-difficulty.ts'

const paths = z.array(relativePathSchema)

/** `.meta/config.json` of an Exercism practice exercise; what we add stands under `custom.proofboard`. */
export const taskConfigSchema = z.object({
  files: z.object({
    solution: paths.min(1, 'name at least one solution file'),
    test: paths.min(1, 'name at least one test file'),
    example: paths.min(1, 'name at least one example (reference) file').optional(),
    exemplar: paths.optional(),
    editor: paths.optional(),
  }),
  blurb: z.string().optional(),
  custom: z
    .object({
      'flag.tests.jest': z.boolean().optional(),
      'flag.tests.tstyche': z.boolean().optional(),
      proofboard: z
        .object({
          title: z.string().min(1).max(200).optional(),
          category: z.string().min(1).max(60).optional(),
          difficulty: difficultySchema.optional(),
          typeTests: z.boolean().optional(),
          verifyTimeoutMs: z.number().int().min(1000).max(600_000).optional(),
          released: releasedSchema.optional(),
        })
        .optional(),
    })
    .optional(),
})
export type TaskConfig = z.infer<typeof taskConfigSchema>
