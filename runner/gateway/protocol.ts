export { PROTOCOLS, type Protocol } from '#lib/domain/runs/agent-definition.ts'
