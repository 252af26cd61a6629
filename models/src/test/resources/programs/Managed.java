import java.lang.management.ManagementFactory;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.AttributeChangeNotification;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** A registry of its own and a JMX connector in it; and who manages by it. */
public class Managed {
    public interface DialMBean {
        int getPosition();

        void setPosition(int to);
    }

    static class Dial extends NotificationBroadcasterSupport implements DialMBean {
        private int position;

        public int getPosition() {
            return position;
        }

        public void setPosition(int to) {
            sendNotification(
                    new AttributeChangeNotification(
                            this, 1, 0, "turned", "Position", "int", position, to));
            position = to;
        }
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        JMXServiceURL at =
                new JMXServiceURL(
                        "service:jmx:rmi:///jndi/rmi://localhost:" + args[0] + "/jmxrmi");
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("managed:type=Dial");
        beans.registerMBean(new Dial(), name);
        JMXConnectorServer server =
                JMXConnectorServerFactory.newJMXConnectorServer(at, null, beans);
        server.start();
        JMXConnector connector = JMXConnectorFactory.connect(at);
        BlockingQueue<Object> news = new LinkedBlockingQueue<>();
        MBeanServerConnection remote = connector.getMBeanServerConnection();
        remote.addNotificationListener(
                name,
                (note, handback) -> news.add(((AttributeChangeNotification) note).getNewValue()),
                null,
                null);
        DialMBean dial = JMX.newMBeanProxy(remote, name, DialMBean.class);
        dial.setPosition(7);
        System.out.println("position " + dial.getPosition() + ", turned to " + news.take());
        connector.close();
        server.stop();
        beans.unregisterMBean(name);
        try {
            JMXConnectorFactory.connect(at);
        } catch (java.io.IOException e) {
            System.out.println(e.getCause().getClass());
        }
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
