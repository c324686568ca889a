// The wrapper that starts this bundle passes in node's real objects (see bundle/build-programs.ts).
import { main } from './main.ts'

declare const realProcess: NodeJS.Process
declare const realRequire: (name: string) => object

main(realProcess, realRequire)
