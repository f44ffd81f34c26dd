/** The tools of the left bar, in its order, and the page behind each of them, loaded when it is first opened; but for the first view. */
import type { ComponentType } from "preact";
import Overview from "../pages/overview.tsx";
import type { IconName } from "../parts/icons.tsx";

export type Tool = {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whether it is for admin accounts alone. */
  readonly isForAdmins: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
};

export const tools: readonly Tool[] = [
  {
    path: "/console",
    title: "Overview",
    icon: "overview",
    isForAdmins: false,
    load: async () => ({ default: Overview }),
  },
  {
    path: "/console/requests",
    title: "Requests",
    icon: "requests",
    isForAdmins: false,
    load: () => import("../pages/requests/requests.tsx"),
  },
  {
    path: "/console/try",
    title: "Try it",
    icon: "try",
    isForAdmins: false,
    load: () => import("../pages/try/try.tsx"),
  },
  {
    path: "/console/resources",
    title: "Resources",
    icon: "resources",
    isForAdmins: false,
    load: () => import("../pages/resources/resources.tsx"),
  },
  {
    path: "/console/time",
    title: "Time",
    icon: "time",
    isForAdmins: true,
    load: () => import("../pages/time/time.tsx"),
  },
  {
    path: "/console/jobs",
    title: "Jobs",
    icon: "jobs",
    isForAdmins: false,
    load: () => import("../pages/jobs/jobs.tsx"),
  },
  {
    path: "/console/outbox",
    title: "Outbox",
    icon: "outbox",
    isForAdmins: false,
    load: () => import("../pages/outbox/outbox.tsx"),
  },
  {
    path: "/console/faults",
    title: "Faults",
    icon: "faults",
    isForAdmins: true,
    load: () => import("../pages/faults/faults.tsx"),
  },
  {
    path: "/console/state",
    title: "State",
    icon: "state",
    isForAdmins: true,
    load: () => import("../pages/state/state.tsx"),
  },
  {
    path: "/console/credentials",
    title: "Credentials",
    icon: "credentials",
    isForAdmins: true,
    load: () => import("../pages/credentials/credentials.tsx"),
  },
  {
    path: "/console/metrics",
    title: "Metrics",
    icon: "metrics",
    isForAdmins: true,
    load: () => import("../pages/metrics/metrics.tsx"),
  },
];
