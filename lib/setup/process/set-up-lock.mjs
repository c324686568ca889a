// @ts-check
import { join } from 'node:path'
import { ROOT } from '../root.mjs'

/** Held while packages are installed, code generated or the app built: one at a time for a clone. */
export const SET_UP_LOCK = join(ROOT, '.proofboard', 'set-up.lock')
