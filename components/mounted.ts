"use client";
import { usePathname, useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Whether the component is still mounted: after a lost connection, its request may be answered long after it was sent.
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

/** Closes the dialog that sent a request, but not one opened since: the response may come after it was closed. */
export function useClosing(onClose: () => void): () => void {
  const isMounted = useMounted();
  return () => {
    if (isMounted.current) onClose();
  };
}

/** Navigates on from the page that sent a request, unless it has been left. The component may be gone by then. */
export function useLeading(): (href: string) => void {
  const router = useRouter();
  const page = usePathname();
  return (href) => {
    if (window.location.pathname === page) router.push(href);
  };
}
