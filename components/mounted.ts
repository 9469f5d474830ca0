"use client";
import { usePathname, useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Returns whether the component is still mounted: after a lost connection, the response to its request may
 * arrive long after it was sent.
 */
export function useMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/**
 * Returns a function that closes the dialog that sent a request, but not one opened since: the response may
 * arrive after the dialog was closed.
 */
export function useCloseIfMounted(onClose: () => void): () => void {
  const isMounted = useMounted();
  return () => {
    if (isMounted.current) onClose();
  };
}

/**
 * Returns a function that navigates on from the page that sent a request, unless the user has left it. It may
 * be called after the component has unmounted.
 */
export function useGuardedNavigation(): (href: string) => void {
  const router = useRouter();
  const page = usePathname();
  return (href) => {
    if (window.location.pathname === page) router.push(href);
  };
}
