import { parseAsArrayOf, parseAsString } from 'nuqs'

/** `pick=row_…,row_…` */
export const pickParser = parseAsArrayOf(parseAsString)
  .withDefault([])
  .withOptions({ history: 'replace' })
