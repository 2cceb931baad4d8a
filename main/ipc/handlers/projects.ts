/** Answers about project folders. The file manager is only ever pointed at places that main itself knows. */
import { shell } from 'electron'
import { assertNever } from '../../../shared/assert-never.ts'
import type { Projects } from '../../projects.ts'
import type { Service } from '../../service/service.ts'
import { projectPaths, runPaths } from '../../store/paths.ts'
import type { Handlers } from '../validated-ipc.ts'

type ProjectHandlers = Pick<Handlers, Extract<keyof Handlers, `projects.${string}`>>

export function projectHandlers(service: Service, projects: Projects): ProjectHandlers {
  return {
    'projects.recent': () => projects.recent,
    'projects.current': () => projects.current,
    'projects.open': ({ path }) => projects.open(path),
    'projects.forget': ({ path }) => projects.forget(path),
    'projects.check': () => service.examine(projects.requireCurrent(), 'look'),
    'projects.repair': () => service.examine(projects.requireCurrent(), 'repair'),
    'projects.reveal': async (place) => {
      const project = projects.requireCurrent()
      switch (place.what) {
        case 'project':
          shell.showItemInFolder(project)
          return null
        case 'run':
          shell.showItemInFolder(runPaths(projectPaths(project), place.runId).folder)
          return null
        case 'script':
          shell.showItemInFolder((await service.show(project, place.runId)).path)
          return null
        default:
          return assertNever(place)
      }
    },
  }
}
