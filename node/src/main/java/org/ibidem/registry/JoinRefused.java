package org.ibidem.registry;

import org.ibidem.IbidemException;

/// The hub did not take a node into a pool; its subclass and its message say why. A key that was a
/// member before and is not any more is told so by [Departed].
public abstract sealed class JoinRefused extends IbidemException {
    private static final long serialVersionUID = 1L;

    private JoinRefused(String message) {
        super(message);
    }

    /// The pool has all the members it was made for. Join another one, or make it larger.
    public static final class PoolFull extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public PoolFull(String message) {
            super(message);
        }
    }

    /// The pool takes nobody any more. Join another one.
    public static final class PoolClosed extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public PoolClosed(String message) {
            super(message);
        }
    }

    /// The rank wished for is another member's, or none of this pool's.
    public static final class RankTaken extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public RankTaken(String message) {
            super(message);
        }
    }

    /// The pool was made for another number of members.
    public static final class SizeDiffers extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public SizeDiffers(String message) {
            super(message);
        }
    }

    /// A member with the same key is in the pool: another process, or one that is gone and not held
    /// for dead yet. Join with another identity; or end the other process first, where there is
    /// one.
    public static final class IdInUse extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public IdInUse(String message) {
            super(message);
        }
    }

    /// The hub holds as much as it can, or cannot keep its state.
    public static final class HubFull extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public HubFull(String message) {
            super(message);
        }
    }

    /// There is no such pool to visit at this hub, or it was terminated: only a [Visitor] is told
    /// so, as a node that joins a pool that is not there makes it. Or the hub takes only pools that
    /// have an authority, and this is none of them: correct the pool's name, or name another hub.
    public static final class NoSuchPool extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says what the hub said.
        public NoSuchPool(String message) {
            super(message);
        }
    }

    /// The hub speaks another version of the protocol, and no other hub took the node in. Use the
    /// same release of Ibidem at both ends.
    public static final class VersionDiffers extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says which versions the two ends speak, and what came of the other hubs.
        public VersionDiffers(String message) {
            super(message);
        }
    }

    /// The pool has an authority, and the hub or this node does not prove to belong there, for the
    /// reason that the message says; no other hub took the node in.
    public static final class NotTrusted extends JoinRefused {
        private static final long serialVersionUID = 1L;

        /// Says who refused whom, and why.
        public NotTrusted(String message) {
            super(message);
        }
    }
}
