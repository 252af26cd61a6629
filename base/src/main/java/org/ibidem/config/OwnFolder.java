package org.ibidem.config;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;

/// A folder of this user alone, perhaps in one that all users of the machine share: there anybody
/// may have taken its name first, with a folder of his own or with a link to one of ours, and who
/// owns a folder changes what the names in it mean.
public final class OwnFolder {
    /// The mode of a file that nobody else reads or writes.
    public static final String FILE = "rw-------";

    private static final String MODE = "rwx------";
    private static final Path PROCESS = Path.of("/proc/self");

    private OwnFolder() {}

    /// Makes it, and the folders it is in, where it is not there; where it is, checks it.
    ///
    /// @throws IOException when it cannot be made, or must not be used; says what to do
    public static void make(Path folder) throws IOException {
        var parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent, mode(folder, MODE));
        }
        try {
            Files.createDirectory(folder, mode(folder, MODE));
        } catch (FileAlreadyExistsException _) {
            check(folder);
        }
    }

    /// Checks one that is there.
    ///
    /// @throws IOException when it is no folder, a link, another user's, or others may look into it
    ///   or write to it; says what to do
    public static void check(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return;
        }
        var is = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (is.isSymbolicLink()) {
            throw unfit(folder, "it is a link: name the folder itself, or remove the link");
        }
        if (!is.isDirectory()) {
            throw unfit(folder, "it is no folder");
        }
        if (!is.owner().equals(user())) {
            throw unfit(folder, "it belongs to " + is.owner().getName() + ": name another");
        }
        var mode = PosixFilePermissions.toString(is.permissions());
        if (!mode.equals(MODE)) {
            throw unfit(folder, "its mode is " + mode + "; run: chmod 700 " + folder);
        }
    }

    /// Checks that a folder, which somebody named, is this user's, and that nobody else may write
    /// to it; a link to it must be this user's, too.
    ///
    /// @throws IOException when it is not; says what to do
    public static void checkWritten(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return;
        }
        var user = user();
        var link = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS);
        var is = Files.readAttributes(folder, PosixFileAttributes.class);
        for (var owner : List.of(link, is.owner())) {
            if (!owner.equals(user)) {
                throw unfit(folder, "it belongs to " + owner.getName() + ": name another");
            }
        }
        if (is.permissions().contains(PosixFilePermission.GROUP_WRITE)
                || is.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            throw unfit(folder, "others may write to it; run: chmod go-w " + folder);
        }
    }

    /// Whether a file is this user's, as far as the system tells.
    public static boolean isOwn(Path file) throws IOException {
        return !isPosix(file) || Files.getOwner(file).equals(user());
    }

    /// With which a new file is made, as far as the system knows modes: changed afterwards, by its
    /// path, it might be another's.
    ///
    /// @param mode such as `rw-------`
    public static FileAttribute<?>[] mode(Path file, String mode) {
        return isPosix(file)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Who runs this process; a name says less, as several may have none.
    private static UserPrincipal user() throws IOException {
        return Files.isDirectory(PROCESS)
                ? Files.getOwner(PROCESS)
                : PROCESS.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name", ""));
    }

    private static IOException unfit(Path folder, String why) {
        return new FileSystemException(
                folder.toString(), null, "must be a folder of this user alone, but " + why);
    }
}
