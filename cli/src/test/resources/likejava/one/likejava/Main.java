package likejava;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;

public class Main {
    private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();

    public static void main(String[] args) throws Exception {
        for (String name : Arrays.asList(
                "Main", "sealed.Sealed", "two.Two", "folder.Folder", "plain.Plain", "multi.Multi",
                "multi.Newer", "signed.Signed", "sealed.Intruder", "signed.Intruder",
                "changed.Changed", "Missing")) {
            System.out.println("== " + name);
            try {
                tell(Class.forName("likejava." + name));
            } catch (Throwable e) {
                System.out.println(e + ", because of " + e.getCause());
            }
        }
        Package whole = Class.forName("Unnamed").getPackage();
        System.out.println("unnamed " + whole + " " + whole.getImplementationVersion());
        resources("likejava/common.txt");
        resources("META-INF/services/java.lang.Runnable");
        System.out.println(text(Main.class.getResourceAsStream("/likejava/multi/data.txt")));
        System.out.println(Main.class.getResource("/likejava/nothing.txt"));
        System.out.println(ClassLoader.getSystemResource("likejava/plain/data.txt"));
        System.out.println("loaders " + (Main.class.getClassLoader() == SYSTEM)
                + (Thread.currentThread().getContextClassLoader() == SYSTEM));
        System.out.println(System.getProperty("likejava.agent"));
        System.out.println(CompletableFuture.supplyAsync(Main::providers).get());
        System.out.println(new Throwable().getStackTrace()[0]);
        System.out.println("rewritten: " + likejava.signed.Signed.rewritten());
    }

    @Override
    public String toString() {
        return "the program";
    }

    private static void tell(Class<?> type) throws Exception {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        System.out.println(source.getLocation());
        System.out.println(source.getCertificates() == null
                ? "unsigned"
                : source.getCertificates().length + " " + source.getCodeSigners()[0]
                        .getSignerCertPath().getCertificates().size());
        System.out.println("signers " + (type.getSigners() == null ? 0 : type.getSigners().length));
        Package its = type.getPackage();
        System.out.println(its + " " + its.getSpecificationVersion() + " "
                + its.getImplementationTitle() + " " + its.getImplementationVersion() + " "
                + its.getImplementationVendor() + " " + its.isSealed());
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        System.out.println(constructor.newInstance());
        System.out.println(type.getResource("data.txt"));
        System.out.println(type.getResource(type.getSimpleName() + ".class"));
        System.out.println(type == Class.forName(type.getName(), true, SYSTEM));
    }

    private static void resources(String name) throws Exception {
        List<String> all = new ArrayList<>();
        for (URL each : Collections.list(Main.class.getClassLoader().getResources(name))) {
            all.add(each + " " + text(each.openStream()));
        }
        Collections.sort(all); // jars of a * come in any order
        System.out.println(all.size() + " " + all);
    }

    private static String text(InputStream in) throws Exception {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
    }

    private static List<String> providers() {
        List<String> all = new ArrayList<>();
        ServiceLoader.load(Runnable.class).forEach(each -> all.add(each.getClass().getName()));
        return all;
    }
}
