import { STEERING } from '../engine/workspace.ts'

// Folders that are never read from a workspace.
const HIDDEN = /(^|\/)(\.git|node_modules|\.yarn|\.meta)(\/|$)/i

/** True for a path that steers how work is built and tested. */
export const isSteering = (path: string): boolean => STEERING.test(path) || HIDDEN.test(path)
