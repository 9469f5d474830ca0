/** What Next loads in the browser before anything else. */
export { keepNavigation as onRouterTransitionStart } from "#components/shell/keep-navigation.ts";
