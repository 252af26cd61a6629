package teller;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.util.Arrays;

public class Client {
    public static void main(String[] args) throws Exception {
        Account account = (Account) Naming.lookup("//" + args[0] + ":1099/account");
        System.out.println(account.deposit(100));
        System.out.println(account.withdraw(30));
        try {
            account.withdraw(71);
        } catch (Refused e) {
            System.out.println(e.getMessage() + ", missing " + e.missing() + ": " + e.getCause());
            System.out.println(isThrownIn("teller.Server", e) + " " + isThrownIn("teller.Client", e));
        }
        try {
            account.deposit(-5);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        try {
            account.audit(null);
        } catch (ServerException e) {
            System.out.println(e.getClass().getName() + ": " + e.getCause());
        }
        try {
            account.audit("ann");
        } catch (ServerError e) {
            System.out.println(e.getClass().getName() + ": " + e.getCause());
        } catch (RemoteException e) {
            System.out.println("not as declared: " + e);
        }
        System.out.println(account.withdraw(70));
    }

    private static boolean isThrownIn(String type, Throwable e) {
        return Arrays.stream(e.getStackTrace()).anyMatch(each -> each.getClassName().equals(type));
    }
}
