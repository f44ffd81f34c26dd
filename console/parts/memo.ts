/** A component that is drawn again only when something it was given has changed. */
import { Component, type ComponentType, createElement, type FunctionComponent } from "preact";

export function memo<Given extends object>(Drawn: FunctionComponent<Given>): ComponentType<Given> {
  return class Remembered extends Component<Given> {
    override shouldComponentUpdate(next: Readonly<Given>): boolean {
      const names = Object.keys(next) as (keyof Given)[];
      return names.some((name) => next[name] !== (this.props as Given)[name]);
    }
    override render() {
      return createElement(Drawn, this.props as Given);
    }
  };
}
