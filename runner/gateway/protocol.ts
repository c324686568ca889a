export { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
