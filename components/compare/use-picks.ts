'use client'

import { useQueryState } from 'nuqs'
import { pickParser } from './pick-parser.ts'

/** The rows chosen on the board, in the order of choice; kept in the address. */
export function usePicks() {
  const [picks, setPicks] = useQueryState('pick', pickParser)
  const toggle = (rowId: string) =>
    void setPicks((before) =>
      before.includes(rowId) ? before.filter((other) => other !== rowId) : [...before, rowId],
    )
  return { picks, toggle, clear: () => void setPicks(null) }
}
