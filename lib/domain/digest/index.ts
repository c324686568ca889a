/** Public API of this module; other modules import only this file. */

export {
  canonicalJson,
  canonicalMembers,
  type Digest,
  digestBytes,
  digestJson,
  digestSchema,
  joinMembers,
} from './digest.ts'
