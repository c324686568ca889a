import { z } from 'zod'

export const difficultySchema = z.enum(['easy', 'medium', 'hard', 'unknown'])
